/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Informers of this library behind the interfaces of the official client, for code that
 * is written against those: {@link dev.informer.official.OfficialInformers}.
 */
@NullMarked
package dev.informer.official;

import org.jspecify.annotations.NullMarked;
