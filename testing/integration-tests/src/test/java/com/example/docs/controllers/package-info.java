/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An application with a controller of the official client.
 */
@NullMarked
package com.example.docs.controllers;

import org.jspecify.annotations.NullMarked;
