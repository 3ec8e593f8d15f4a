"""Every kind of leak that is put into a split is found, and clean splits are called clean."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlgnn.audit import AuditReport, Verdict, audit, from_ogb, from_split
from hlgnn.data import PROTOCOLS, Dataset, LinkSet, OfficialSplit, Protocol, Split, load_embedded_cora, make_split
from hlgnn.errors import SplitError
from hlgnn.graph import Graph, NodeIds
from strategies import graphs


@pytest.fixture(scope="module")
def cora() -> Dataset:
    return load_embedded_cora()


@pytest.fixture(scope="module")
def split(cora: Dataset) -> Split:
    return make_split(cora, PROTOCOLS["paper"], 0)


def leaks(report: AuditReport) -> set[str]:
    return {finding.check for finding in report.leaks}


def report_of(split: Split, metric: str = "hits@100", dataset: Dataset | None = None) -> AuditReport:
    return audit(from_split(split, metric=metric, dataset=dataset))


def more_messages(graph: Graph, links: torch.Tensor) -> Graph:
    return graph.with_links(torch.cat([graph.links, links]))


@pytest.mark.parametrize("protocol", ["paper", "ncn", "buddy", "heart"])
def test_cora_is_clean_under_every_protocol(cora: Dataset, protocol: str) -> None:
    report = report_of(make_split(cora, PROTOCOLS[protocol], 1), dataset=cora)
    assert report.leaks == ()
    assert {score.predictor for score in report.trivial} == {"common-neighbors", "degree-product", "feature-cosine"}


@settings(max_examples=25)
@given(graph=graphs(min_nodes=8, max_nodes=14, min_links=6), seed=st.integers(0, 99))
def test_any_split_of_ours_is_free_of_leaks(graph: Graph, seed: int) -> None:
    assume(graph.num_nodes * (graph.num_nodes - 1) // 2 >= 2 * graph.num_links)
    dataset = Dataset("toy", graph, "auc")
    made = make_split(dataset, Protocol("small", "", valid=0.2, test=0.3), seed)
    assert report_of(made, "auc", dataset).leaks == ()


@pytest.mark.parametrize("reverse", [False, True])
def test_test_links_in_the_messages_are_found_in_either_direction(split: Split, reverse: bool) -> None:
    leaked = split.test.positive[:5].flip(1) if reverse else split.test.positive[:5]
    report = report_of(replace(split, graph=more_messages(split.graph, leaked)))
    assert leaks(report) == {"test links in the training messages", "test links in the validation messages"}
    assert {finding.count for finding in report.leaks} == {5}
    ids = split.graph.node_ids
    first, second = split.test.positive[0].tolist()
    assert (ids[first], ids[second]) in report.leaks[0].examples


def test_validation_links_in_the_messages_are_found(split: Split) -> None:
    report = report_of(replace(split, graph=more_messages(split.graph, split.valid.positive[:7])))
    assert "validation links in the training messages" in leaks(report)


def test_test_links_in_the_test_messages_are_found(split: Split) -> None:
    report = report_of(replace(split, test_graph=more_messages(split.test_graph, split.test.positive[:3])))
    assert leaks(report) == {"test links in the test messages"}


def test_validation_links_at_test_are_a_leak_unless_the_protocol_says_so(cora: Dataset, split: Split) -> None:
    shown = replace(split, test_graph=more_messages(split.test_graph, split.valid.positive))
    assert leaks(report_of(shown)) == {"validation links in the test messages"}
    assert leaks(report_of(replace(shown, protocol="ogb-valid-input"))) == set()
    unnamed = report_of(replace(shown, protocol="mine"))
    assert leaks(unnamed) == set()
    assert "validation links in the test messages" in {finding.check for finding in unnamed.notices}


@pytest.mark.parametrize("count", [1, 131])
def test_a_few_validation_links_at_test_are_a_leak_too(split: Split, count: int) -> None:
    shown = replace(split, test_graph=more_messages(split.test_graph, split.valid.positive[:count]))
    assert leaks(report_of(shown)) == {"validation links in the test messages"}


def test_missing_validation_links_at_test_are_noticed(cora: Dataset) -> None:
    made = make_split(cora, PROTOCOLS["buddy"], 0)
    report = report_of(replace(made, test_graph=more_messages(made.graph, made.valid.positive[:9])))
    assert report.leaks == ()
    assert "validation links in the test messages" in {finding.check for finding in report.notices}


@pytest.mark.parametrize(("later", "check"), [("valid", "validation"), ("test", "test")])
def test_held_out_links_among_training_links_are_found(split: Split, later: str, check: str) -> None:
    leaked = getattr(split, later).positive[:4].flip(1)
    train, margin = torch.cat([split.train, leaked]), torch.ones(len(split.train) + 4)
    assert leaks(report_of(replace(split, train=train, margin=margin))) == {f"{check} links among training links"}


def test_links_in_validation_and_test_are_found(split: Split) -> None:
    shared = LinkSet(torch.cat([split.test.positive, split.valid.positive[:2]]), split.test.negative)
    assert leaks(report_of(replace(split, test=shared))) == {"test links among validation links"}


@pytest.mark.parametrize("part", ["train", "valid", "test"])
def test_negatives_that_are_links_of_any_part_are_found(split: Split, part: str) -> None:
    links = split.train if part == "train" else getattr(split, part).positive
    negative = torch.cat([split.test.negative[6:], links[:6].flip(1)])
    assert "test negatives that are links" in leaks(
        report_of(replace(split, test=replace(split.test, negative=negative)))
    )


def test_repeats_and_self_loops_are_noticed(split: Split) -> None:
    odd = torch.cat([split.test.positive, split.test.positive[:2].flip(1), torch.tensor([[5, 5]])])
    loops = torch.cat([split.test.negative, torch.tensor([[7, 7]])])
    report = report_of(replace(split, test=LinkSet(odd, loops)))
    found = {finding.check: finding.count for finding in report.notices}
    assert found["repeats among test links"] == 3
    assert found["self-loops among test negatives"] == 1


@pytest.mark.parametrize(("column", "word"), [(0, "source"), (1, "target")])
def test_shared_negatives_from_one_side_are_noticed(cora: Dataset, split: Split, column: int, word: str) -> None:
    generator = torch.Generator().manual_seed(0)
    negative = torch.randint(cora.graph.num_nodes, (3000, 2), generator=generator)
    ends = split.test.positive[:, column]
    negative[:, column] = ends[torch.randint(len(ends), (3000,), generator=generator)]
    negative = negative[~cora.graph.has_links(negative) & (negative[:, 0] != negative[:, 1])]
    report = report_of(replace(split, test=replace(split.test, negative=negative)))
    message = next(finding.message for finding in report.notices if finding.check == "sides of test negatives")
    assert word in message


def test_own_negatives_from_one_side_are_noticed(cora: Dataset) -> None:
    split = make_split(cora, PROTOCOLS["heart"], 0)
    assert "sides of test negatives" not in {finding.check for finding in report_of(split).notices}
    one_sided = replace(split.test, negative=split.test.negative[:, :250])
    notices = {finding.check: finding.message for finding in report_of(replace(split, test=one_sided)).notices}
    assert "source" in notices["sides of test negatives"]


def test_the_order_within_pairs_is_noticed(split: Split) -> None:
    report = report_of(replace(split, test=replace(split.test, negative=split.test.negative.flip(1))))
    assert "order within test pairs" in {finding.check for finding in report.notices}


def test_a_metric_without_meaning_is_a_leak(split: Split) -> None:
    few = replace(split.test, negative=split.test.negative[:99])
    assert leaks(report_of(replace(split, test=few))) == {"test negatives for hits@100"}
    assert leaks(report_of(replace(split, test=few), "hits@99")) == set()


@pytest.mark.parametrize("metric", ["Hits@600", " hits@600", "HITS@600"])
def test_a_metric_is_found_however_it_is_written(split: Split, metric: str) -> None:
    assert "test negatives for hits@600" in leaks(report_of(split, metric))


def test_repeated_negatives_are_noticed(split: Split) -> None:
    test = replace(split.test, negative=torch.cat([split.test.negative, split.test.negative[:3].flip(1)]))
    notices = {finding.check: finding.count for finding in report_of(replace(split, test=test)).notices}
    assert notices["repeats among test negatives"] == 3
    both = replace(split, test=replace(split.test, negative=torch.cat([split.test.negative, split.valid.negative[:4]])))
    notices = {finding.check: finding.count for finding in report_of(both).notices}
    assert notices["test negatives among validation negatives"] == 4


def test_an_empty_validation_part_is_a_leak(split: Split) -> None:
    nothing = LinkSet(split.valid.positive[:0], split.valid.negative)
    assert "validation links" in leaks(report_of(replace(split, valid=nothing)))


def weighted(cora: Dataset) -> Dataset:
    weight = torch.arange(1.0, cora.graph.num_links + 1)
    return replace(cora, graph=cora.graph.with_links(cora.graph.links, weight))


@pytest.mark.parametrize("protocol", ["paper", "buddy"])
def test_swapped_weights_are_found(cora: Dataset, protocol: str) -> None:
    dataset = weighted(cora)
    split = make_split(dataset, PROTOCOLS[protocol], 0)
    assert report_of(split, dataset=dataset).leaks == ()
    swapped = split.graph.link_weight.clone()
    swapped[[0, 1]] = swapped[[1, 0]]
    graph = split.graph.with_links(split.graph.links, swapped)
    report = report_of(replace(split, graph=graph, margin=swapped), dataset=dataset)
    assert leaks(report) == {
        "weights on their edges (training messages)",
        "weights on their edges (validation messages)",
    }
    assert {finding.count for finding in report.leaks} == {2}


def test_official_weights_of_links_written_both_ways_are_no_leak() -> None:
    train = torch.tensor([[0, 1], [1, 0], [1, 2], [2, 3], [3, 4], [4, 5]])
    weight = torch.ones(len(train))
    valid = LinkSet(torch.tensor([[1, 0], [0, 5]]), torch.tensor([[0, 2], [0, 3]]))
    test = LinkSet(torch.tensor([[1, 5]]), torch.tensor([[0, 4], [1, 4]]))
    parts = OfficialSplit(train, valid, test, weight=weight, valid_weight=torch.ones(2))
    graph = Graph.from_edges(6, train.sort(dim=1).values, weight=weight)
    dataset = Dataset("toy", graph, "hits@1", official=parts)
    plain, more = (make_split(dataset, PROTOCOLS[name], 0) for name in ("ogb", "ogb-valid-input"))
    assert plain.graph.link_weight.tolist() == [2.0, 1.0, 1.0, 1.0, 1.0]
    assert (
        dict(zip(map(tuple, more.test_graph.links.tolist()), more.test_graph.link_weight.tolist(), strict=True))[(0, 1)]
        == 3.0
    )
    for made in (plain, more):
        assert not any("weights" in check for check in leaks(report_of(made, "hits@1", dataset)))


def test_swapped_margins_are_found_without_knowing_the_data(cora: Dataset) -> None:
    split = make_split(weighted(cora), PROTOCOLS["paper"], 0)
    report = report_of(replace(split, margin=split.margin.flip(0)))
    assert leaks(report) == {"weights on their edges (training links)"}


def test_trivial_predictors_show_an_easy_benchmark(cora: Dataset, split: Split) -> None:
    easy = Graph.from_edges(60, torch.cartesian_prod(torch.arange(30), torch.arange(30)))
    made = make_split(Dataset("easy", easy, "auc"), PROTOCOLS["paper"], 0)
    report = report_of(made, "auc")
    assert "trivial predictors" in {finding.check for finding in report.notices}
    assert "trivial predictors" not in {finding.check for finding in report_of(split).notices}


def test_relabelling_the_nodes_changes_no_finding(cora: Dataset) -> None:
    split = make_split(cora, PROTOCOLS["paper"], 0)
    order = torch.randperm(cora.graph.num_nodes, generator=torch.Generator().manual_seed(1))
    place = order.argsort()

    def moved(graph: Graph) -> Graph:
        return Graph.from_edges(
            graph.num_nodes,
            place[graph.links],
            node_ids=graph.node_ids.take(order.numpy()),
            features=graph.features[order.numpy()],
        )

    again = replace(
        split,
        graph=moved(split.graph),
        test_graph=moved(split.test_graph),
        train=place[split.train],
        valid=LinkSet(place[split.valid.positive], place[split.valid.negative]),
        test=LinkSet(place[split.test.positive], place[split.test.negative]),
    )
    first, second = report_of(split), report_of(again)
    same = [
        (finding.check, finding.verdict, finding.count) for finding in first.findings if "order" not in finding.check
    ]
    assert same == [
        (finding.check, finding.verdict, finding.count) for finding in second.findings if "order" not in finding.check
    ]
    assert [score.value for score in first.trivial] == pytest.approx([score.value for score in second.trivial])


def ogb_dictionary(split: Split) -> dict[str, dict[str, np.ndarray]]:
    return {
        "train": {"edge": split.train.numpy(), "weight": np.arange(len(split.train))},
        "valid": {"edge": split.valid.positive.numpy(), "edge_neg": split.valid.negative.numpy()},
        "test": {"edge": split.test.positive.numpy(), "edge_neg": split.test.negative.numpy()},
    }


def test_ogb_dictionaries_are_read_and_their_leaks_found(split: Split) -> None:
    dictionary = ogb_dictionary(split)
    nodes = split.graph.num_nodes
    assert audit(from_ogb(dictionary, num_nodes=nodes, metric="hits@100")).leaks == ()
    leaking = torch.cat([split.train, split.test.positive[:9].flip(1)])
    report = audit(from_ogb(dictionary, num_nodes=nodes, messages=leaking, metric="hits@100"))
    assert "test links in the training messages" in leaks(report)
    dictionary["test"]["edge_neg"] = np.concatenate([dictionary["test"]["edge_neg"], dictionary["train"]["edge"][:1]])
    assert "test negatives that are links" in leaks(audit(from_ogb(dictionary, num_nodes=nodes, metric="hits@100")))


def test_ogb_dictionaries_with_own_negatives_are_one_sided(split: Split) -> None:
    def part(links: torch.Tensor) -> dict[str, torch.Tensor]:
        other = torch.randint(split.graph.num_nodes, (len(links), 40), generator=torch.Generator().manual_seed(0))
        return {"source_node": links[:, 0], "target_node": links[:, 1], "target_node_neg": other}

    dictionary = {"train": {"source_node": split.train[:, 0], "target_node": split.train[:, 1]}}
    dictionary |= {"valid": part(split.valid.positive), "test": part(split.test.positive)}
    report = audit(from_ogb(dictionary, num_nodes=split.graph.num_nodes, metric="mrr"))
    assert "sides of test negatives" in {finding.check for finding in report.notices}


def test_weights_of_an_ogb_dictionary_are_compared_with_the_graph(split: Split) -> None:
    weight = torch.arange(1.0, len(split.train) + 1)
    reference = split.graph.with_links(split.train, weight)
    dictionary = ogb_dictionary(split)
    dictionary["train"]["weight"] = weight.numpy()
    subject = from_ogb(dictionary, num_nodes=split.graph.num_nodes, reference=reference)
    assert audit(subject).leaks == ()
    dictionary["train"]["weight"] = weight.flip(0).numpy()
    assert any(
        "weights" in check
        for check in leaks(audit(from_ogb(dictionary, num_nodes=split.graph.num_nodes, reference=reference)))
    )


@pytest.mark.parametrize(
    ("dictionary", "message"),
    [({"train": {}}, "no valid, test"), ({"train": {"edges": 1}, "valid": {}, "test": {}}, "neither 'edge'")],
)
def test_other_dictionaries_are_refused(dictionary: dict[str, dict[str, int]], message: str) -> None:
    with pytest.raises(SplitError, match=message):
        from_ogb(dictionary, num_nodes=3)


def test_nodes_out_of_range_are_refused() -> None:
    edges = {"edge": np.array([[0, 9]])}
    with pytest.raises(SplitError, match="outside 0 … 3"):
        from_ogb({"train": edges, "valid": edges, "test": edges}, num_nodes=4)


def test_verdicts_are_ordered() -> None:
    ids = NodeIds.range(4)
    graph = Graph.from_edges(4, torch.tensor([[0, 1]]), node_ids=ids)
    links = LinkSet(torch.tensor([[1, 2]]), torch.tensor([[0, 3]]))
    split = Split(
        "mine",
        0,
        graph,
        graph,
        graph.links,
        torch.ones(1),
        links,
        LinkSet(torch.tensor([[2, 3]]), torch.tensor([[0, 2]])),
    )
    assert report_of(split, "auc").verdict in (Verdict.CLEAN, Verdict.NOTICE)
    assert report_of(split, "hits@10").verdict is Verdict.LEAK
