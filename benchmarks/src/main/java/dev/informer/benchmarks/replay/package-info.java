/**
 * A server that plays a cluster with many objects, in a process of its own.
 */
@NullMarked
package dev.informer.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
