"""A study of Optuna in which some trials are pruned and some are told to fail without ending it."""

import optuna
from drawn import SEED


def objective(trial: optuna.Trial) -> float:
    rate = trial.suggest_float("rate", 1e-4, 1e-1, log=True)
    for step in range(5):
        trial.report(rate * step, step)
        if trial.should_prune():
            raise optuna.TrialPruned
    if trial.number % 7 == 3:
        raise ValueError("loss is not a number")
    return rate if trial.number % 5 else float("nan")


study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=SEED), pruner=optuna.pruners.MedianPruner(3))
study.optimize(objective, n_trials=25, catch=(ValueError,))
print(study.best_value)
