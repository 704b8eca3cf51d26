"""The stages in their order: documents -> facts -> owners -> edges -> world -> findings -> report."""
