"""gaugeblock: first the ruler is proven, then the model is measured."""
