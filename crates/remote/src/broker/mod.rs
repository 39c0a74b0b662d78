//! The configuration of a broker, and the rights of its users.
