"""Suite `drawings`: from a technical drawing to the part. See README.md."""
