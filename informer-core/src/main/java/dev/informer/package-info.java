/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a user of the informers touches. An {@link dev.informer.InformerFactory} makes
 * {@link dev.informer.SharedIndexInformer informers}, each a live, indexed, local copy of
 * one Kubernetes resource, read through a {@link dev.informer.Lister} and heard through
 * {@link dev.informer.ResourceEventHandler handlers}.
 * <p>
 * The way of the data through the packages: {@code source} lists and watches,
 * {@code reflector} keeps doing so whatever happens, {@code queue} holds what it brought,
 * {@code store} is the local copy, {@code processor} tells the handlers, and
 * {@code controller} ties them together. None of them knows one that comes after it, and
 * this package knows none of them.
 */
@NullMarked
package dev.informer;

import org.jspecify.annotations.NullMarked;
