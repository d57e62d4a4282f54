/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The recipe of the documentation for an alarm that is sent once by several replicas.
 */
package com.example.docs.alarms;
