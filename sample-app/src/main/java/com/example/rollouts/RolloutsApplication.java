/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Shows pods and rollouts on a page, logs how rollouts go, and answers which pods there
 * are.
 */
@SpringBootApplication
public class RolloutsApplication {

	/**
	 * Starts the application.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		SpringApplication.run(RolloutsApplication.class, args);
	}

}
