/**
 * Starts servers and clients one after the other, and compares what they have measured.
 */
@NullMarked
package dev.informer.benchmarks.run;

import org.jspecify.annotations.NullMarked;
