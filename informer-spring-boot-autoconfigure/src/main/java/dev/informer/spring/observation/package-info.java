/**
 * Calls of handlers as Micrometer observations.
 */
@NullMarked
package dev.informer.spring.observation;

import org.jspecify.annotations.NullMarked;
