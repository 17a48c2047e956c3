"""What requests use and cost: buckets, prices, reserves, budgets. See README.md."""
