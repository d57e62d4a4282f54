/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The recipe of a custom resource, as an application.
 */
package com.example.docs.status;
