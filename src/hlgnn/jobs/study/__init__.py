"""From a trained model to what a person wants to know: is it any good, how good, and which links."""
