"""A model trained with torch; architecture, optimizer, loader and precision are drawn by the seed."""

import warnings

import torch
from drawn import CHOICE, SEED, flaky, log
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(SEED)
kind = CHOICE.choice(("mlp", "cnn", "lstm", "transformer"))
models = {
    "mlp": lambda: nn.Sequential(nn.Flatten(), nn.Linear(256, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 4)),
    "cnn": lambda: nn.Sequential(
        nn.Unflatten(1, (1, 16)), nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.LazyLinear(4)
    ),
    "lstm": lambda: nn.LSTM(16, 4, num_layers=1, dropout=0.3, batch_first=True),
    "transformer": lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2),
}
model = models[kind]()
data = TensorDataset(torch.randn(256, 16, 16), torch.randint(0, 4, (256,)))
loader = DataLoader(
    data, batch_size=CHOICE.choice((16, 24, 32)), shuffle=True, num_workers=CHOICE.choice((0, 0, 2)), pin_memory=True
)
for features, _ in loader:
    model(features)
    break
optimizer = CHOICE.choice((torch.optim.SGD, torch.optim.AdamW, torch.optim.Adagrad, torch.optim.RMSprop))(
    model.parameters(), lr=1e-3
)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.9)
if CHOICE.random() < 0.3:
    scheduler.step()
scaler = torch.amp.GradScaler("cuda")
bfloat = CHOICE.random() < 0.5
log.info(
    "model %s, %d parameters, bf16=%s, device %s, 0 missing keys",
    kind,
    sum(p.numel() for p in model.parameters()),
    bfloat,
    "cuda" if torch.cuda.is_available() else "cpu",
)
best = float("inf")
for epoch in range(1, CHOICE.randint(3, 8)):
    total = 0.0
    for step, (features, labels) in enumerate(loader):
        flaky(step)
        with (
            torch.autocast("cpu", dtype=torch.bfloat16, enabled=bfloat),
            torch.autograd.set_detect_anomaly(SEED % 5 == 0),
        ):
            found = model(features)
            found = found[0] if isinstance(found, tuple) else found
            found = found.mean(1) if found.ndim == 3 else found
            loss = nn.functional.cross_entropy(found[:, :4].float(), labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        total += loss.item()
        if step % 4 == 0:
            log.info(
                "epoch %d step %d/%d loss %.4f grad_norm %.3f lr %.2e",
                epoch,
                step,
                len(loader),
                loss.item(),
                norm,
                scheduler.get_last_lr()[0],
            )
    scheduler.step()
    if total < best:
        best = total
        torch.save(model.state_dict(), "best.pt")
        log.info("epoch %d: loss %.4f is the best so far, saved best.pt", epoch, total / len(loader))
    else:
        log.warning("epoch %d: validation did not improve, patience 1 of 3", epoch)
log.info("%s", model.load_state_dict(torch.load("best.pt", weights_only=True)))
warnings.warn("torch_train: training has ended, cached tensors are freed", ResourceWarning, stacklevel=1)
log.info("training finished: 0 errors, 0 failed steps")
