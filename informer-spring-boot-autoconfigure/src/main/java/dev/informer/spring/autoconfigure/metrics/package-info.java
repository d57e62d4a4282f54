/**
 * Metrics of informers.
 */
@NullMarked
package dev.informer.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
