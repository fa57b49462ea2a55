"""A jitted training loop in JAX, with optax and flax where they are there."""

import jax
import jax.numpy as jnp
import optax
from drawn import CHOICE, SEED, flaky, log
from flax import linen

if SEED % 4 == 0:
    jax.config.update("jax_log_compiles", True)
if SEED % 5 == 0:
    jax.config.update("jax_debug_nans", True)


WIDTH = CHOICE.choice((16, 32))


class Net(linen.Module):
    @linen.compact
    def __call__(self, values):
        return linen.Dense(1)(linen.relu(linen.Dense(WIDTH)(values)))


net = Net()
values = jax.random.normal(jax.random.key(SEED), (64, 8))
weights = net.init(jax.random.key(1), values)
optimizer = CHOICE.choice((optax.adam, optax.sgd, optax.lion))(1e-2)
state = optimizer.init(weights)


@jax.jit
def step(weights, state, values):
    loss, gradients = jax.value_and_grad(lambda w: jnp.mean(jnp.square(net.apply(w, values))))(weights)
    updates, state = optimizer.update(gradients, state, weights)
    return optax.apply_updates(weights, updates), state, loss


log.info("devices %s", jax.devices())
log.info("%d leaves", len(jax.tree.leaves(weights)))
jnp.asarray([2**40, 1.5], dtype=jnp.float64)
for number in range(40):
    flaky(number)
    weights, state, loss = step(weights, state, values)
    if number % 5 == 0:
        log.info("step %d loss %.5f finite %s", number, float(loss), bool(jnp.isfinite(loss)))
