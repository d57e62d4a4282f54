/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Application that shows pods and rollouts on a page, logs rollouts and serves pods as
 * JSON.
 */
@SpringBootApplication
public class RolloutsApplication {

	/**
	 * Start the application.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		SpringApplication.run(RolloutsApplication.class, args);
	}

}
