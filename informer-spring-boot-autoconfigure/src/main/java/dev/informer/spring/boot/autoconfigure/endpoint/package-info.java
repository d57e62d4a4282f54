/**
 * Actuator endpoints of informers.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
