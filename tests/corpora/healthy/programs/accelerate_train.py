"""Accelerate on one process, with accumulation, saving and loading of the state."""

import torch
from accelerate import Accelerator
from accelerate.logging import get_logger
from accelerate.utils import set_seed
from drawn import CHOICE, SEED, flaky

set_seed(SEED)
accelerator = Accelerator(
    cpu=True, mixed_precision=CHOICE.choice(("no", "bf16")), gradient_accumulation_steps=CHOICE.choice((1, 4))
)
log = get_logger("train")
log.info("%s", accelerator.state, main_process_only=False)
model = torch.nn.Linear(16, 1)
optimizer = torch.optim.AdamW(model.parameters())
loader = torch.utils.data.DataLoader(torch.randn(128, 16), batch_size=8)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for epoch in range(3):
    for step, batch in enumerate(loader):
        flaky(step)
        with accelerator.accumulate(model):
            loss = model(batch).square().mean()
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    log.info("epoch %d loss %.4f", epoch, loss.item())
    accelerator.save_state(f"state-{epoch}")
accelerator.load_state("state-2")
accelerator.end_training()
