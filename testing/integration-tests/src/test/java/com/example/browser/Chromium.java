/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Headless browser that connects to this machine only. Not thread-safe.
 */
public final class Chromium implements AutoCloseable {

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final Logger logger = Logger.getLogger("org.openqa.selenium");

	private final ChromeDriver driver;

	private Chromium(ChromeDriver driver) {
		this.driver = driver;
	}

	static Chromium start() {
		logger.setLevel(Level.SEVERE);
		BrowserPrograms programs = BrowserPrograms.find();
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(programs.driver().toFile())
			.usingAnyFreePort()
			.build();
		return new Chromium(new ChromeDriver(service, options(programs.browser())));
	}

	private static ChromeOptions options(Path browser) {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(browser.toFile());
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		options.addArguments("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
				"--disable-background-networking", "--no-first-run", "--lang=en",
				"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1");
		if ("root".equals(System.getProperty("user.name"))) {
			options.addArguments("--no-sandbox");
		}
		return options;
	}

	/**
	 * Open a page in light colors.
	 * @param url the URL
	 * @param width the width of the window in pixels
	 * @param height the height of the window in pixels
	 */
	public void open(String url, int width, int height) {
		this.driver.manage().window().setSize(new Dimension(width, height));
		colors("light");
		console();
		this.driver.get(url);
	}

	/**
	 * Set the color scheme.
	 * @param scheme {@code light} or {@code dark}
	 */
	public void colors(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	/**
	 * Find elements of the page.
	 * @param css the CSS selector
	 * @return the elements in document order
	 */
	public List<WebElement> all(String css) {
		return this.driver.findElements(By.cssSelector(css));
	}

	/**
	 * Find the first matching element.
	 * @param css the CSS selector
	 * @return the element
	 */
	public WebElement one(String css) {
		return this.driver.findElement(By.cssSelector(css));
	}

	/**
	 * Run a script in the page.
	 * @param script the script
	 * @return its result
	 */
	public String run(String script) {
		return String.valueOf(((JavascriptExecutor) this.driver).executeScript(script));
	}

	/**
	 * Return the messages on the browser's console since the last call: script errors,
	 * blocked requests and missing resources.
	 * @return the messages
	 */
	public List<String> console() {
		return this.driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage).toList();
	}

	/**
	 * Write a screenshot to {@code target/screenshots}.
	 * @param name the name of the file without extension
	 * @return the file
	 */
	public Path screenshot(String name) {
		try {
			Files.createDirectories(SCREENSHOTS);
			return Files.write(SCREENSHOTS.resolve(name + ".png"), this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Leave the page, which closes its connections.
	 */
	void leavePage() {
		this.driver.get("about:blank");
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
