/**
 * Ties reflectors, queue, store and processor together into informers.
 */
@NullMarked
package dev.informer.controller;

import org.jspecify.annotations.NullMarked;
