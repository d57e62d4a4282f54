/**
 * Observations of informers.
 */
@NullMarked
package dev.informer.spring.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
