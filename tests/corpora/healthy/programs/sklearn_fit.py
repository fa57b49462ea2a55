"""scikit-learn: models, searches and pipelines whose warnings are well known."""

import warnings

import numpy as np
from drawn import CHOICE, SEED, log
from sklearn import (
    cluster,
    datasets,
    ensemble,
    linear_model,
    metrics,
    model_selection,
    neural_network,
    pipeline,
    preprocessing,
    svm,
)

warnings.simplefilter("always")
values, labels = datasets.make_classification(240, 12, n_informative=6, n_classes=3, random_state=SEED)
models = (
    linear_model.LogisticRegression(max_iter=3),
    neural_network.MLPClassifier(max_iter=8, verbose=True, random_state=SEED),
    ensemble.GradientBoostingClassifier(n_estimators=12, verbose=1),
    ensemble.RandomForestClassifier(n_estimators=20, oob_score=True, verbose=2, n_jobs=1),
    svm.SVC(verbose=True, max_iter=40),
    linear_model.SGDClassifier(max_iter=5, verbose=1),
)
for model in CHOICE.sample(models, 3):
    fitted = pipeline.make_pipeline(preprocessing.StandardScaler(), model)
    search = model_selection.cross_val_score(fitted, values, labels, cv=3, verbose=2)
    log.info("%s: %.3f", type(model).__name__, search.mean())
search = model_selection.GridSearchCV(
    linear_model.Ridge(), {"alpha": [0.1, 1.0, "a"]}, cv=3, verbose=3, error_score=np.nan
)
search.fit(values, labels)
log.info("best %s; fits that failed were scored nan", search.best_params_)
cluster.KMeans(4, n_init=2, verbose=1, random_state=SEED).fit(values)
predicted = linear_model.LogisticRegression(max_iter=2).fit(values[:50], labels[:50]).predict(values)
predicted[predicted == 2] = 0
print(metrics.classification_report(labels, predicted))
