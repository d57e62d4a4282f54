/**
 * The clients that are measured, each in a process of its own.
 */
@NullMarked
package dev.informer.benchmarks.client;

import org.jspecify.annotations.NullMarked;
