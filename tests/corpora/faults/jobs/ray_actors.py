"""Four Ray actors train together; what one of them does is told by FAULT."""

import os
import signal
import socket

import ray


@ray.remote(num_cpus=0.25)
class Trainer:
    def run(self, rank: int, port: int) -> str:
        os.environ.update(RANK=str(rank), WORLD_SIZE="4", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        import loop

        def fetch(step: int) -> None:
            if step != 3 or not loop.chosen():
                return
            loop.planted(os.environ["FAULT"])
            if os.environ["FAULT"] == "raise":
                raise KeyError("attention_mask")
            if os.environ["FAULT"] == "sigkill":
                os.kill(os.getpid(), signal.SIGKILL)

        loop.join()
        loop.train(fetch)
        return f"rank {rank} ended well"


if __name__ == "__main__":
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    passed = {key: value for key, value in os.environ.items() if key.startswith("FAULT") or key == "GLOO_SOCKET_IFNAME"}
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": passed})
    actors = [Trainer.remote() for _ in range(4)]
    print(ray.get([actor.run.remote(rank, free) for rank, actor in enumerate(actors)]))
