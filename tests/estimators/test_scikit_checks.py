"""The checks of scikit-learn: those that apply pass, and for the others it is said why they do not."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from hlgnn.estimators.link_predictor import LinkPredictor

PAIRS = "it trains on a matrix of numbers, and X is pairs of ids here; the law is stated for pairs in other tests"
ADJACENCY = "a sparse X is the adjacency of a graph here"
ERRORS = "it wants a ValueError in scikit-learn's words, and errors are those of hlgnn"
SAVED = "a fitted predictor is saved in a folder, and never pickled"

DO_NOT_APPLY = {
    "check_fit_score_takes_y": PAIRS,
    "check_estimators_overwrite_params": PAIRS,
    "check_dont_overwrite_parameters": PAIRS,
    "check_estimators_fit_returns_self": PAIRS,
    "check_readonly_memmap_input": PAIRS,
    "check_n_features_in_after_fitting": PAIRS,
    "check_n_features_in": PAIRS,
    "check_positive_only_tag_during_fit": PAIRS,
    "check_estimators_dtypes": PAIRS,
    "check_dtype_object": PAIRS,
    "check_pipeline_consistency": PAIRS,
    "check_array_api_input": PAIRS,
    "check_f_contiguous_array_estimator": PAIRS,
    "check_classifier_data_not_an_array": PAIRS,
    "check_classifiers_one_label": PAIRS,
    "check_classifiers_classes": PAIRS,
    "check_decision_proba_consistency": PAIRS,
    "check_methods_sample_order_invariance": PAIRS,
    "check_methods_subset_invariance": PAIRS,
    "check_dict_unchanged": PAIRS,
    "check_fit_idempotent": PAIRS,
    "check_fit_check_is_fitted": PAIRS,
    "check_fit2d_predict1d": PAIRS,
    "check_supervised_y_2d": PAIRS,
    "check_complex_data": ERRORS,
    "check_estimators_empty_data_messages": ERRORS,
    "check_estimators_nan_inf": ERRORS,
    "check_classifiers_train": ERRORS,
    "check_classifiers_regression_target": ERRORS,
    "check_supervised_y_no_nan": ERRORS,
    "check_classifier_not_supporting_multiclass": ERRORS,
    "check_fit2d_1sample": ERRORS,
    "check_fit2d_1feature": ERRORS,
    "check_fit1d": ERRORS,
    "check_estimator_sparse_tag": ADJACENCY,
    "check_estimator_sparse_array": ADJACENCY,
    "check_estimator_sparse_matrix": ADJACENCY,
    "check_estimators_pickle": SAVED,
}
MUST_APPLY = {
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_estimators_unfitted",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
}
ALL: dict[str, Callable[[Any], None]] = {
    check.func.__name__: check for _, check in estimator_checks_generator(LinkPredictor())
}


@pytest.mark.parametrize("name", [name for name in ALL if name not in DO_NOT_APPLY])
def test_a_check_that_applies_passes(name: str) -> None:
    ALL[name](LinkPredictor())


def test_the_ones_that_matter_are_among_them() -> None:
    assert set(ALL) - set(DO_NOT_APPLY) >= MUST_APPLY


def test_an_unfitted_predictor_is_copied_by_pickle() -> None:
    predictor = LinkPredictor(seed=3, settings={"train.epochs": 1})
    assert pickle.loads(pickle.dumps(predictor)).get_params() == predictor.get_params()
