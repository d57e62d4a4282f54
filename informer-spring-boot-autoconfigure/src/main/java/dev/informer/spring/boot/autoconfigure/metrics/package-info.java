/**
 * Metrics of informers.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
