/**
 * Observations of informers.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
