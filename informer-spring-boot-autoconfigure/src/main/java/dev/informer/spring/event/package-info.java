/**
 * What the application is told about its informers by application events.
 */
@NullMarked
package dev.informer.spring.event;

import org.jspecify.annotations.NullMarked;
