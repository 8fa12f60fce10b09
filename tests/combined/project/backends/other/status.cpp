// Configured, never built.
