/**
 * What the user asked for: the grammar, the rules, the options of every layer, and where each value
 * came from. Read once when a file system is made, then frozen. Read {@link
 * io.mio.config.StackSpec} first.
 */
package io.mio.config;
