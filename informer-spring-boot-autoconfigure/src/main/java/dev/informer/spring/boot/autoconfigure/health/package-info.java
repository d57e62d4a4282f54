/**
 * Health of informers.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
