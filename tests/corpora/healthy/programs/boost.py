"""Gradient boosting with xgboost or lightgbm, the library drawn by the seed."""

import sys

import numpy as np
from drawn import CHOICE, SEED, log

generator = np.random.default_rng(SEED)
values, labels = generator.normal(size=(400, 10)), generator.integers(0, 2, 400)
values[::7, 3] = np.nan
if sys.argv[2] == "xgboost":
    import xgboost

    train, test = xgboost.DMatrix(values[:300], labels[:300]), xgboost.DMatrix(values[300:], labels[300:])
    options = {
        "objective": "binary:logistic",
        "verbosity": 2 + SEED % 2,
        "eval_metric": ["auc", "logloss"],
        "max_depth": CHOICE.randint(2, 5),
        "unused_option": 1,
    }
    booster = xgboost.train(options, train, 40, evals=[(train, "train"), (test, "test")], early_stopping_rounds=5)
    booster.save_model("model.ubj")
else:
    import lightgbm

    train = lightgbm.Dataset(values[:300], labels[:300])
    options = {
        "objective": "binary",
        "metric": ["auc", "binary_logloss"],
        "verbosity": 1 + SEED % 2,
        "num_leaves": CHOICE.choice((7, 200)),
        "min_gain_to_split": 0.1,
    }
    calls = [lightgbm.early_stopping(5), lightgbm.log_evaluation(1)]
    booster = lightgbm.train(
        options,
        train,
        40,
        valid_sets=[train, lightgbm.Dataset(values[300:], labels[300:], reference=train)],
        callbacks=calls,
    )
    booster.save_model("model.txt")
log.info("best iteration %s", booster.best_iteration)
