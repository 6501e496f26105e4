package io.mio.cli.check;

/**
 * Something legal that was probably not meant.
 *
 * @param id the kind of warning; stays the same over versions
 * @param rule number of the rule it is about, from 1; 0 if it is about none
 * @param text what it is and what to do
 */
public record Warning(String id, int rule, String text) {}
