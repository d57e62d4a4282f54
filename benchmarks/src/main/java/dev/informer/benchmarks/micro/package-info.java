/**
 * Measures parts of the informers by themselves, with JMH.
 */
@NullMarked
package dev.informer.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
