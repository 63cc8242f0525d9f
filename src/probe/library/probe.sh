probe_library() { return 1; }
