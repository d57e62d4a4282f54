/**
 * Connections to containers.
 */
@NullMarked
package dev.informer.spring.testcontainers;

import org.jspecify.annotations.NullMarked;
