package io.mio.config;

/** One layer of a rule with all its options. */
public record LayerSpec(String typedName) {}
