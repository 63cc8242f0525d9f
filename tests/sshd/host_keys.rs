//! host_keys
