/**
 * Actuator endpoints of informers.
 */
@NullMarked
package dev.informer.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
