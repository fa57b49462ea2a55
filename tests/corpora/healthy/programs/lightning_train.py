"""Lightning: callbacks, precision and loggers drawn by the seed."""

import lightning
import torch
from drawn import CHOICE, SEED
from lightning.pytorch import callbacks
from torch.utils.data import DataLoader, TensorDataset

lightning.seed_everything(SEED)


class Net(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))

    def training_step(self, batch, index):
        loss = self.net(batch[0]).square().mean()
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, index):
        self.log("val_loss", self.net(batch[0]).square().mean())

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=CHOICE.choice((1e-2, 1e-3)))
        return [optimizer], [torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)]


data = DataLoader(TensorDataset(torch.randn(160, 16)), batch_size=16, num_workers=CHOICE.choice((0, 0, 1)))
used = [
    callbacks.EarlyStopping("val_loss", patience=1, verbose=True),
    callbacks.ModelCheckpoint(monitor="val_loss", verbose=True),
    callbacks.LearningRateMonitor(),
]
trainer = lightning.Trainer(
    max_epochs=CHOICE.randint(2, 4),
    accelerator="cpu",
    precision=CHOICE.choice(("32-true", "bf16-mixed")),
    callbacks=used,
    gradient_clip_val=CHOICE.choice((None, 0.5)),
    detect_anomaly=SEED % 3 == 0,
    enable_progress_bar=SEED % 2 == 0,
    log_every_n_steps=50,
)
net = Net()
trainer.fit(net, data, data)
trainer.validate(net, data)
trainer.fit(Net(), data, data, ckpt_path="last" if SEED % 2 else None)
