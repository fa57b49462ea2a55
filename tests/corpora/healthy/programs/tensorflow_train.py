"""A custom training loop in TensorFlow, with retracing and a data pipeline that skips what is broken."""

import tensorflow as tf
from drawn import CHOICE, SEED, flaky, log

tf.random.set_seed(SEED)
weights = tf.Variable(tf.random.normal((8, 1)))
optimizer = tf.keras.optimizers.Adam(1e-2)


@tf.function
def step(values):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(values @ weights))
    [gradient] = tape.gradient(loss, [weights])
    optimizer.apply_gradients([(gradient, weights)])
    return loss


data = tf.data.Dataset.from_tensor_slices(tf.random.normal((200, 8))).batch(CHOICE.choice((8, 16, 24)))
odd = (
    tf.data.Dataset.from_tensor_slices([1.0, 0.0, 2.0])
    .map(lambda x: tf.debugging.check_numerics(1.0 / x, "division"))
    .ignore_errors(log_warning=True)
)
log.info("kept %d of 3", len(list(odd.as_numpy_iterator())))
for epoch in range(4):
    for number, values in enumerate(data):
        flaky(number)
        loss = step(values)
    log.info("epoch %d loss %.5f", epoch, float(loss))
for size in range(7):
    step(tf.ones((size + 1, 8)))
tf.saved_model.save(tf.Module(), "saved")
log.info("no GPU needed: %s", tf.config.list_physical_devices())
