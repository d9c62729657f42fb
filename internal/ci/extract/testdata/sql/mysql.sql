# Stock of the shop
DROP TABLE IF EXISTS `stock items`;
CREATE TABLE `stock items` (
  `id` int NOT NULL AUTO_INCREMENT COMMENT 'it\'s the key',
  `name` varchar(80) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `by_name` (`name`),
  CONSTRAINT `fk` FOREIGN KEY (`id`) REFERENCES `shop`.`parts` (`id`)
) ENGINE=InnoDB;

/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `scarce` AS select `id` from `stock items` where 1 */;

DELIMITER $$
CREATE DEFINER=`root`@`%` PROCEDURE restock(IN item INT)
BEGIN
  DECLARE n INT;
  IF item > 0 THEN
    UPDATE `stock items` SET name = 'x' WHERE id = item;
  END IF;
  SELECT CASE WHEN n > 1 THEN 'a;b' ELSE 'c' END;
END$$

CREATE TRIGGER after_sale AFTER INSERT ON sales FOR EACH ROW
BEGIN
  CALL restock(NEW.item);
END$$
DELIMITER ;

CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DO CALL restock(1);
CREATE FULLTEXT INDEX words ON `stock items` (name);
