"""What a store is: values, and a protocol for each thing that is kept."""
