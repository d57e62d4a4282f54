/**
 * Health of informers.
 */
@NullMarked
package dev.informer.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
