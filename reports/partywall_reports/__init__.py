"""The built-in report formats: terminal, HTML, JSON and SARIF."""
