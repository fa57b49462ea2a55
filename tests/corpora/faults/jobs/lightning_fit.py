"""Lightning with two processes; what one of them does is told by FAULT."""

import os
import signal

import lightning
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = torch.nn.Linear(16, 1)

    def training_step(self, batch: list[torch.Tensor], index: int) -> torch.Tensor:
        os.environ["RANK"], os.environ["WORLD_SIZE"] = str(self.global_rank), "2"
        import loop

        if index == 3 and loop.chosen():
            loop.planted(os.environ["FAULT"])
            if os.environ["FAULT"] == "raise":
                raise ValueError(f"batch {index} holds labels of 3 images for 4 images")
            if os.environ["FAULT"] == "sigkill":
                os.kill(os.getpid(), signal.SIGKILL)
        loss = self.net(batch[0]).square().mean()
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), lr=0.01)


if __name__ == "__main__":
    os.environ.pop("RANK", None)
    data = DataLoader(TensorDataset(torch.randn(96, 16)), batch_size=4)
    lightning.Trainer(max_epochs=2, accelerator="cpu", devices=2, strategy="ddp", log_every_n_steps=1).fit(Net(), data)
