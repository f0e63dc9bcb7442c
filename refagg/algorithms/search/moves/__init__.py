"""Local search: exchanges of records among groups that lower the SSE, and where they lead."""
