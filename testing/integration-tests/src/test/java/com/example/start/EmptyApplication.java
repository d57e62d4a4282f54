/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.start;

import java.lang.management.ManagementFactory;
import java.util.Objects;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Empty web application that prints the figures of its start and exits. Independent of
 * informers, so that it also starts without them on the class path.
 */
@SpringBootApplication
public class EmptyApplication {

	static final String FIGURES = "figures";

	/**
	 * Start the application.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(EmptyApplication.class);
		application.addListeners((ApplicationListener<ApplicationReadyEvent>) EmptyApplication::report);
		System.exit(SpringApplication.exit(application.run(args)));
	}

	private static void report(ApplicationReadyEvent event) {
		System.out.println(
				String.join(" ", FIGURES, Double.toString(Objects.requireNonNull(event.getTimeTaken()).toNanos() / 1e6),
						Double.toString(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6),
						Long.toString(ManagementFactory.getRuntimeMXBean().getUptime()),
						Long.toString(ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount()),
						Integer.toString(event.getApplicationContext().getBeanDefinitionCount())));
	}

}
