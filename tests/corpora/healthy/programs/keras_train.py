"""Keras with whichever backend KERAS_BACKEND names; callbacks and layers drawn by the seed."""

import keras
import numpy as np
from drawn import CHOICE, SEED

keras.utils.set_random_seed(SEED)
layers = [
    keras.layers.Dense(32, activation="relu", input_shape=(12,)),
    keras.layers.Dropout(0.2),
    keras.layers.BatchNormalization(),
    keras.layers.Dense(3, activation="softmax"),
]
model = keras.Sequential(layers[: CHOICE.randint(1, 3)] + layers[3:])
model.compile(
    optimizer=CHOICE.choice(("adam", "sgd", "rmsprop")), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
)
model.summary()
values, labels = np.random.rand(320, 12), np.random.randint(0, 3, 320)
used = [
    keras.callbacks.EarlyStopping(patience=1, verbose=1),
    keras.callbacks.ReduceLROnPlateau(patience=1, verbose=1),
    keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True, verbose=1),
    keras.callbacks.TerminateOnNaN(),
]
model.fit(values, labels, validation_split=0.25, epochs=CHOICE.randint(2, 6), verbose=1 + SEED % 2, callbacks=used)
model.save("last.h5" if SEED % 3 == 0 else "last.keras")
print(model.evaluate(values, labels, verbose=0))
